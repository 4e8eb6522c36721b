/* forest_labels.c: hashes that describe nodes and scopes. */
#include "base/hash.h"
#include "match/forest.h"

/* Hashes all shapes of NODE, sizes as the representatives of their replacements. 0: unknown. */
static uint64_t hash_shapes(const struct forest *f, node_id node, const struct sizes *sizes,
                            dim_list *dims)
{
    uint64_t hash = 0, sum = 0;

    shapes_of_node(f->p, node, dims);
    for (size_t i = 0; i < dims->n; i++)
        if (dims->data[i] == SHAPE_END) {
            sum = f->p->n_parts ? sum + hash_pair(hash, 3) : hash_pair(sum, hash);
            hash = 1;
        } else {
            hash = hash_pair(hash, (uint64_t)sizes_of(sizes, dims->data[i]));
        }
    return sum;
}

static struct label label_of(uint64_t type, uint64_t shape, uint64_t name)
{
    return (struct label){
        .full = (uint32_t)hash_pair(hash_pair(type, shape), name),
        .shaped = (uint32_t)hash_pair(hash_pair(type, shape), 1),
        .named = (uint32_t)hash_pair(type, name),
    };
}

/* Nodes with user-chosen names have their class as type. */
static uint64_t hash_type(const struct profile *p, node_id node)
{
    const strid op = p->op[node];

    return p->free_name[node] ? p->free_name[node] : hash_bytes(profile_text(p, op), intern_len(&p->strings, op));
}

static uint64_t with_child(uint64_t name, uint64_t child)
{
    return hash_pair(name, child);
}

/* Hashes scopes from their nodes and children, regardless of the order of children. Walks the
 * pre-order backwards, so that children precede parents. */
static void hash_scopes(struct forest *f, const uint64_t *shape_of)
{
    struct scope *scopes = f->scopes.data;
    VEC(scope_id) order = {0};

    vec_push(&order, SCOPE_ROOT);
    for (size_t i = 0; i < order.n; i++)
        for (uint32_t k = scopes[order.data[i]].child_begin; k < scopes[order.data[i]].child_end; k++)
            vec_push(&order, f->children[k]);
    for (size_t i = order.n; i-- > 0;) {
        struct scope *s = &scopes[order.data[i]];
        uint64_t exact = 7, content = 7;

        if (s->node != NODE_NONE) {
            exact = content = hash_pair(f->type_of[s->node], shape_of[s->node]);
            content = hash_pair(content, s->canonical);
        }
        for (uint32_t k = s->child_begin; k < s->child_end; k++) {
            const struct scope *child = &scopes[f->children[k]];

            exact += with_child(child->name, child->exact);
            content += with_child(5, child->content);
        }
        s->exact = exact;
        s->content = content;
    }
    vec_done(&order);
}

void forest_label(struct forest *f, const struct sizes *sizes, bool with_shapes)
{
    const struct profile *p = f->p;
    uint64_t *shape_of = xalloc_huge((size_t)p->n_nodes + 1, sizeof *shape_of);
    dim_list dims = {0};

    f->n_shaped = 0;
    for (uint32_t i = 0; i < p->n_nodes; i++) {
        const node_id node = f->sequence[i];
        const uint64_t shape = hash_shapes(f, node, sizes, &dims);

        f->n_shaped += shape != 0;
        shape_of[node] = with_shapes ? shape : 0;
        f->type_of[node] = hash_type(p, node);
        f->labels[i] = label_of(f->type_of[node], shape_of[node],
                                f->scopes.data[f->scope_of[node]].canonical);
    }
    hash_scopes(f, shape_of);
    vec_done(&dims);
    free(shape_of);
}
