/*
 * layout_svg.c - a fragment as a picture: one cell per element, coloured by the lane that holds it.
 *
 *              +-----+
 *              |  B  |        The panels stand as in a product written by hand: B above D, A left
 *     +-----+  +-----+        of D. C lies as D does; where the two layouts are the same there is
 *     |  A  |  | C,D |        one panel for both. A single operand is one panel.
 *     +-----+  +-----+
 *     lanes (legend)
 */
#include "layout_svg.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "operand_layout.h"

/* Pixels. */
enum {
    CELL_WIDTH = 40,
    CELL_HEIGHT = 30,
    EDGE = 26, /* row and column numbers */
    PANEL_TITLE = 26,
    MARGIN = 24,
    GAP = 34, /* between panels */
    HEADING = 58,
    LEGEND_CELL = 34,
    LEGEND = 4 * 24 + 78,
};

struct panel {
    const struct fh_cli_layout *layout;
    const char *title;
    int x, y, width, height;
};

void fh_cli_lane_color(uint32_t lane, char color[16]) {
    static const double hues[8] = {210, 35, 145, 330, 55, 265, 175, 5};
    uint32_t group = lane / 4, member = lane % 4;
    double hue = hues[group], light = 0.90 - 0.085 * member, saturation = 0.72;
    double chroma = (1 - fabs(2 * light - 1)) * saturation;
    double part[3];
    for (int i = 0; i < 3; i++) {
        /* The HSL hexcone, channel by channel: red, green, blue at 0, 120, 240 degrees. */
        double angle = fmod(hue - 120.0 * i + 540.0, 360.0) - 180.0;
        double level = fabs(angle) <= 60 ? 1 : fabs(angle) >= 120 ? 0 : 2 - fabs(angle) / 60;
        part[i] = light + chroma * (level - 0.5);
    }
    snprintf(color, 16, "#%02x%02x%02x", (unsigned)lround(part[0] * 255),
             (unsigned)lround(part[1] * 255), (unsigned)lround(part[2] * 255));
}

static void print_cell(FILE *to, int x, int y, fhec_place place,
                       const struct fh_cli_layout *layout) {
    char color[16], where[32];
    fh_cli_lane_color(place.lane, color);
    int used = snprintf(where, sizeof where, layout->named ? "R%u" : "r%u",
                        fh_cli_register(layout, place.reg));
    if (layout->shape.slots > 1)
        snprintf(where + used, sizeof where - (size_t)used, ".%u", place.slot);
    else if (fh_cli_words(layout) == 2)
        snprintf(where + used, sizeof where - (size_t)used, ",%u",
                 fh_cli_register(layout, place.reg) + 1);
    fprintf(to,
            "<rect x=\"%d\" y=\"%d\" width=\"%d\" height=\"%d\" fill=\"%s\"/>"
            "<text x=\"%d\" y=\"%d\" class=\"lane\">%u</text>"
            "<text x=\"%d\" y=\"%d\" class=\"reg\">%s</text>\n",
            x, y, CELL_WIDTH, CELL_HEIGHT, color, x + CELL_WIDTH / 2, y + 14, place.lane,
            x + CELL_WIDTH / 2, y + 25, where);
}

static void print_panel(FILE *to, const struct panel *panel) {
    const fhec_layout *shape = &panel->layout->shape;
    int left = panel->x + EDGE, top = panel->y + PANEL_TITLE + EDGE;
    fprintf(to, "<text x=\"%d\" y=\"%d\" class=\"panel\">%s</text>\n", left, panel->y + 16,
            panel->title);
    for (uint32_t j = 0; j < shape->columns; j++)
        fprintf(to, "<text x=\"%d\" y=\"%d\" class=\"edge\">%u</text>\n",
                left + (int)j * CELL_WIDTH + CELL_WIDTH / 2, top - 8, j);
    for (uint32_t i = 0; i < shape->rows; i++) {
        int y = top + (int)i * CELL_HEIGHT;
        fprintf(to, "<text x=\"%d\" y=\"%d\" class=\"edge\">%u</text>\n", left - 13,
                y + CELL_HEIGHT / 2 + 4, i);
        for (uint32_t j = 0; j < shape->columns; j++)
            print_cell(to, left + (int)j * CELL_WIDTH, y, fh_cli_place(panel->layout, i, j),
                       panel->layout);
    }
}

static void print_legend(FILE *to, int x, int y, const fhec_layout *shape) {
    fprintf(to, "<text x=\"%d\" y=\"%d\" class=\"panel\">Lanes</text>\n", x, y + 14);
    for (uint32_t lane = 0; lane < FHEC_WARP_LANES; lane++) {
        int left = x + (int)(lane / 4) * LEGEND_CELL, top = y + 24 + (int)(lane % 4) * 24;
        char color[16];
        fh_cli_lane_color(lane, color);
        fprintf(to,
                "<rect x=\"%d\" y=\"%d\" width=\"%d\" height=\"24\" fill=\"%s\"/>"
                "<text x=\"%d\" y=\"%d\" class=\"lane\">%u</text>\n",
                left, top, LEGEND_CELL, color, left + LEGEND_CELL / 2, top + 16, lane);
    }
    int text = x + 8 * LEGEND_CELL + 20;
    static const char *const lines[] = {"In a cell: the lane above,", "the register below, counted",
                                        "from the operand's first."};
    for (int i = 0; i < 3; i++)
        fprintf(to, "<text x=\"%d\" y=\"%d\" class=\"note\">%s</text>\n", text, y + 38 + 18 * i,
                lines[i]);
    if (shape->slots > 1)
        fprintf(to, "<text x=\"%d\" y=\"%d\" class=\"note\">r2.1: slot 1, of %u bits.</text>\n",
                text, y + 38 + 54, shape->bits);
}

static struct panel make_panel(const struct fh_cli_layout *layout, const char *title) {
    struct panel panel = {layout,
                          title,
                          0,
                          0,
                          EDGE + (int)layout->shape.columns * CELL_WIDTH,
                          PANEL_TITLE + EDGE + (int)layout->shape.rows * CELL_HEIGHT};
    return panel;
}

static bool same_layout(const struct fh_cli_layout *a, const struct fh_cli_layout *b) {
    if (a->shape.rows != b->shape.rows || a->shape.columns != b->shape.columns)
        return false;
    for (uint32_t i = 0; i < a->shape.rows; i++)
        for (uint32_t j = 0; j < a->shape.columns; j++) {
            fhec_place p = fh_cli_place(a, i, j), q = fh_cli_place(b, i, j);
            if (p.lane != q.lane || p.reg != q.reg || p.slot != q.slot)
                return false;
        }
    return true;
}

static const struct fh_cli_layout *find_operand(const struct fh_cli_layout *layouts, size_t count,
                                                const char *operand) {
    for (size_t i = 0; i < count; i++)
        if (!strcmp(layouts[i].shape.operand, operand))
            return &layouts[i];
    return NULL;
}

/* A product: A left of D, B above it, and above B the moduli M of its columns if there are any.
 * Returns how many panels, 0 if the operands are no product. */
static size_t arrange_product(const struct fh_cli_layout *layouts, size_t count,
                              struct panel *panels) {
    const struct fh_cli_layout *a = find_operand(layouts, count, "A");
    const struct fh_cli_layout *b = find_operand(layouts, count, "B");
    const struct fh_cli_layout *c = find_operand(layouts, count, "C");
    const struct fh_cli_layout *d = find_operand(layouts, count, "D");
    const struct fh_cli_layout *m = find_operand(layouts, count, "M");
    if (!a || !b || !c || !d || !same_layout(c, d) || count != (m ? 5 : 4))
        return 0;
    panels[0] = make_panel(a, "A");
    panels[1] = make_panel(b, "B");
    panels[2] = make_panel(d, "C and D");
    if (m) {
        panels[3] = make_panel(m, "M: q, -, mu of each column");
        panels[3].x = panels[0].width + GAP;
        panels[1].y = panels[3].height + GAP;
    }
    panels[1].x = panels[2].x = panels[0].width + GAP;
    panels[0].y = panels[2].y = panels[1].y + panels[1].height + GAP;
    return count - 1;
}

static size_t arrange_row(const struct fh_cli_layout *layouts, size_t count, struct panel *panels) {
    int x = 0;
    for (size_t i = 0; i < count; i++) {
        panels[i] = make_panel(&layouts[i], layouts[i].shape.operand);
        panels[i].x = x;
        x += panels[i].width + GAP;
    }
    return count;
}

void fh_cli_layout_svg(const struct fh_cli_layout *layouts, size_t count, FILE *to) {
    struct panel panels[FH_CLI_MAX_LAYOUTS];
    size_t panel_count = arrange_product(layouts, count, panels);
    bool corner = panel_count != 0; /* a product has a free corner for the legend */
    if (!corner)
        panel_count = arrange_row(layouts, count, panels);
    int width = 8 * LEGEND_CELL + 220, height = 0;
    for (size_t i = 0; i < panel_count; i++) {
        panels[i].x += MARGIN;
        panels[i].y += HEADING;
        if (panels[i].x + panels[i].width > width)
            width = panels[i].x + panels[i].width;
        if (panels[i].y + panels[i].height > height)
            height = panels[i].y + panels[i].height;
    }
    int legend_x = MARGIN, legend_y = corner ? HEADING + 10 : height + GAP;
    width += MARGIN;
    height = corner ? height + MARGIN : legend_y + LEGEND;
    fprintf(to,
            "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"%d\" height=\"%d\" "
            "viewBox=\"0 0 %d %d\" font-family=\"DejaVu Sans, Verdana, sans-serif\">\n"
            "<style>text{fill:#1a1a1a}.lane{font-size:12px;font-weight:bold;text-anchor:middle}"
            ".reg{font-size:9.5px;text-anchor:middle}.edge{font-size:10px;text-anchor:middle;"
            "fill:#666}.panel{font-size:15px;font-weight:bold}.note{font-size:12px}"
            ".title{font-size:19px;font-weight:bold}rect{stroke:#fff;stroke-width:1}</style>\n"
            "<rect width=\"%d\" height=\"%d\" fill=\"#fff\"/>\n"
            "<text x=\"%d\" y=\"34\" class=\"title\">%s%s%s</text>\n",
            width, height, width, height, width, height, MARGIN, layouts[0].shape.insn,
            corner       ? ": D = A B + C"
            : count == 1 ? " "
                         : "",
            count == 1 ? layouts[0].shape.operand : "");
    for (size_t i = 0; i < panel_count; i++)
        print_panel(to, &panels[i]);
    print_legend(to, legend_x, legend_y, &layouts[0].shape);
    fprintf(to, "</svg>\n");
}
