/* main.c: where the program starts and the only file that exits. */
int main(void)
{
    return 0;
}
