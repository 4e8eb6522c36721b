/* main.c: where the program starts and the only file that exits. */
#include "cli/main_cli.h"
#include "tui/tui.h"

int main(int argc, char **argv)
{
    return cli_main(argc, argv, tui_main);
}
