/* main.c: the entry point, and the only file that exits. */
#include "cli/main_cli.h"
#include "tui/commands/keys_list.h"
#include "tui/screen/tui.h"

int main(int argc, char **argv)
{
    static const struct screen screen = {.run = tui_main, .list_keys = keys_list};

    return cli_main(argc, argv, &screen);
}
