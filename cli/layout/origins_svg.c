/*
 * origins_svg.c - see origins_svg.h.
 */
#include "origins_svg.h"

#include <string.h>

#include "layout_svg.h"

enum {
    CELL_WIDTH = 84,
    CELL_HEIGHT = 40,
    MARGIN = 24,
    EDGE = 26, /* row and column numbers */
    TITLE = 46,
    GAP = 26,
    MOST_COLUMNS = 32, /* more do not fit: fragments of single bits */
};

static bool is_drawn(const struct fh_survey_row *row) {
    return row->layout.rows && row->layout.columns <= MOST_COLUMNS && row->element_count;
}

static void put_text(FILE *to, const char *text) {
    for (; *text; text++)
        switch (*text) {
        case '<': fputs("&lt;", to); break;
        case '>': fputs("&gt;", to); break;
        case '&': fputs("&amp;", to); break;
        default: putc(*text, to);
        }
}

static void put_cell(FILE *to, int x, int y, const struct fh_survey_element *e) {
    char color[16];
    fh_cli_lane_color(e->lane, color);
    fprintf(to,
            "<rect x=\"%d\" y=\"%d\" width=\"%d\" height=\"%d\" fill=\"%s\"%s/>"
            "<text x=\"%d\" y=\"%d\" class=\"where\">%u: R%u</text>"
            "<text x=\"%d\" y=\"%d\" class=\"origin\">",
            x, y, CELL_WIDTH, CELL_HEIGHT, color, e->misfit ? " class=\"misfit\"" : "",
            x + CELL_WIDTH / 2, y + 11, e->lane, e->reg, x + CELL_WIDTH / 2, y + 23);
    put_text(to, e->origin ? e->origin : "");
    fprintf(to, "</text><text x=\"%d\" y=\"%d\" class=\"value\">0x%llx</text>\n",
            x + CELL_WIDTH / 2, y + 35, (unsigned long long)e->value);
}

static void put_panel(FILE *to, int top, const struct fh_survey_row *row) {
    const int left = MARGIN + EDGE, cells = top + TITLE + EDGE;
    fprintf(to, "<text x=\"%d\" y=\"%d\" class=\"panel\">", MARGIN, top + 18);
    put_text(to, row->text ? row->text : "");
    fprintf(to, "</text><text x=\"%d\" y=\"%d\" class=\"note\">", MARGIN, top + 38);
    if (row->at.file) {
        put_text(to, row->at.file);
        fprintf(to, ":%u, ", row->at.line);
    }
    fprintf(to, "block (%u,%u,%u), warp %u: ", row->block[0], row->block[1], row->block[2],
            row->warp);
    put_text(to, row->operand ? row->operand : "");
    if (row->map) {
        fputs("[i][j] = ", to);
        put_text(to, row->map);
    }
    fputs("</text>\n", to);
    for (uint32_t j = 0; j < row->layout.columns; j++)
        fprintf(to, "<text x=\"%d\" y=\"%d\" class=\"edge\">%u</text>\n",
                left + (int)j * CELL_WIDTH + CELL_WIDTH / 2, cells - 6, j);
    for (uint32_t i = 0; i < row->layout.rows; i++)
        fprintf(to, "<text x=\"%d\" y=\"%d\" class=\"edge\">%u</text>\n", left - 13,
                cells + (int)i * CELL_HEIGHT + CELL_HEIGHT / 2 + 4, i);
    for (size_t k = 0; k < row->element_count; k++)
        put_cell(to, left + (int)row->elements[k].column * CELL_WIDTH,
                 cells + (int)row->elements[k].row * CELL_HEIGHT, &row->elements[k]);
}

static int panel_height(const struct fh_survey_row *row) {
    return TITLE + EDGE + (int)row->layout.rows * CELL_HEIGHT + GAP;
}

void fh_cli_origins_svg(const struct fh_survey *survey, FILE *to) {
    int width = 600, height = MARGIN, top = MARGIN;
    for (size_t i = 0; i < fh_survey_count(survey); i++) {
        const struct fh_survey_row *row = fh_survey_get(survey, i);
        const int wide = 2 * MARGIN + EDGE + (int)row->layout.columns * CELL_WIDTH;
        if (!is_drawn(row))
            continue;
        height += panel_height(row);
        width = wide > width ? wide : width;
    }
    fprintf(to,
            "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"%d\" height=\"%d\" "
            "viewBox=\"0 0 %d %d\" font-family=\"DejaVu Sans, Verdana, sans-serif\">\n"
            "<style>text{fill:#1a1a1a}.where{font-size:8.5px;text-anchor:middle;fill:#444}"
            ".origin{font-size:10.5px;font-weight:bold;text-anchor:middle}"
            ".value{font-size:9px;text-anchor:middle}.edge{font-size:10px;text-anchor:middle;"
            "fill:#666}.panel{font-size:14px;font-weight:bold}.note{font-size:12px}"
            "rect{stroke:#fff;stroke-width:1}.misfit{stroke:#c00;stroke-width:3}</style>\n"
            "<rect width=\"%d\" height=\"%d\" fill=\"#fff\"/>\n",
            width, height, width, height, width, height);
    for (size_t i = 0; i < fh_survey_count(survey); i++) {
        const struct fh_survey_row *row = fh_survey_get(survey, i);
        if (!is_drawn(row))
            continue;
        put_panel(to, top, row);
        top += panel_height(row);
    }
    fprintf(to, "</svg>\n");
}
