/* view_list.h: the list of views. Commands, tables of SQL, and on the screen tabs, the menu of views,
 * keys, `:` names, help, completions and the manual follow from it. */
#pragma once

/* Rows, in the order of the screen: first the views with a tab, then the others of the menu.
 *
 * TREE(NAME, ID, KEYS, LABEL, WORDS, HELP)             the tree view VIEW_ID
 * PAGE(NAME, KEYS, LABEL, WORDS, HELP)                 a page of text, or a list
 * PICTURE(NAME, ID, ACTION, KEYS, LABEL, WORDS, HELP)  the picture NAME_picture of the screen alone
 * TABLE(NAME, ACTION, KEYS, LABEL, WORDS)              the table table_NAME, which has the help
 *
 * NAME is a command, ACTION the name on the screen where it differs. LABEL: on narrow screens; NULL: the
 * name. WORDS: synonyms that the help of the screen finds; NULL: none. */
#define TAB_LIST(TREE, PAGE, PICTURE, TABLE)                                                     \
    TREE(scope, SCOPE, "1 vs", NULL, "names layers", "show nodes as a tree of name scopes")      \
    TREE(graph, GRAPH, "2 vg", NULL, NULL, "show nodes as a tree by their inputs")               \
    TREE(code, CODE, "3 vc", NULL, "python source line stack",                                   \
         "show nodes by the Python code that created them")                                      \
    TREE(op, OP, "4 vo", NULL, "kernels types", "list operation types")                          \
    PAGE(advise, "5 va", "adv", "hints tips", "diagnose bottlenecks and recommend changes")      \
    PICTURE(memory, MEMORY, "memory", "6", "mem", NULL, "show memory in use over time")          \
    PICTURE(timeline, TIMELINE, "timeline", "7", "time", "threads streams devices",              \
            "show the timeline")                                                                 \
    TABLE(breakdown, "breakdown", "8", "brk", "overlap exposed anatomy")                         \
    TABLE(kernels, "kernels", "9", "krn", "gpu cuda grid block")

#define MENU_LIST(TREE, PAGE, PICTURE, TABLE)                                                    \
    PICTURE(flame, FLAME, "flame-graph", "F", "flame", NULL, "show the rows as a flame graph")   \
    PICTURE(roofline, ROOFLINE, "roofline", "R", NULL, "plot flop/s bandwidth memory bound",     \
            "show the roofline of op types")                                                     \
    TABLE(ranks, "ranks", "", NULL, "work waiting")                                              \
    TABLE(hosts, "hosts", "", NULL, "straggler waiting")                                         \
    TABLE(steps, "steps", "", NULL, "iterations slow")                                           \
    TABLE(gaps, "gaps", "", NULL, "causes")                                                      \
    TABLE(collectives, "collectives", "", "colls", "nccl allreduce")                             \
    TABLE(iterations, "iterations", "", "iters", "prefill decode tokens")                        \
    TABLE(memory, "memory-table", "", "allocs", "allocators peak")                               \
    PAGE(check, "", NULL, "budget limit ci",                                                     \
         "check the rules in a file: tfprof check RULES FILE")                                   \
    PAGE(summary, "i", NULL, "information inputs",                                               \
         "show what is loaded and what is missing, on one page")                                 \
    PAGE(runs, "O", NULL, "open folder logdir", "list the runs of a log folder")

#define VIEW_LIST(TREE, PAGE, PICTURE, TABLE)                                                    \
    TAB_LIST(TREE, PAGE, PICTURE, TABLE)                                                         \
    MENU_LIST(TREE, PAGE, PICTURE, TABLE)
/* For the kinds of rows that an expansion skips. */
#define NO_VIEW(...)
