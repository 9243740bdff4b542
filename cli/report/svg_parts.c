/*
 * svg_parts.c - see svg_parts.h.
 */
#include "svg_parts.h"

#include <math.h>

void fh_cli_svg_begin(FILE *to, int width, int height, const char *rules) {
    fprintf(to,
            "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"%d\" height=\"%d\" "
            "viewBox=\"0 0 %d %d\">\n<style>\n"
            "text { font-family: 'DejaVu Sans', Verdana, sans-serif; fill: #222; }\n"
            ".head { font-size: 20px; font-weight: bold; }\n"
            ".title { font-size: 14px; font-weight: bold; }\n"
            ".tick { font-size: 11px; fill: #555; text-anchor: middle; }\n"
            ".grid { stroke: #ddd; stroke-width: 1; }\n"
            "%s</style>\n<rect width=\"%d\" height=\"%d\" fill=\"#ffffff\"/>\n",
            width, height, width, height, rules, width, height);
}

void fh_cli_svg_text(FILE *to, const char *text) {
    for (; *text; text++)
        switch (*text) {
        case '&': fputs("&amp;", to); break;
        case '<': fputs("&lt;", to); break;
        case '>': fputs("&gt;", to); break;
        case '"': fputs("&quot;", to); break;
        default:
            if ((unsigned char)*text >= ' ')
                fputc(*text, to);
        }
}

const char *fh_cli_svg_color(size_t index) {
    static const char *const colors[FH_CLI_SVG_COLORS] = {"#0072b2", "#009e73", "#e69f00",
                                                          "#56b4e9", "#cc79a7", "#d5c83a"};
    return colors[index % FH_CLI_SVG_COLORS];
}

double fh_cli_svg_step(double most) {
    double step = pow(10, floor(log10(most)) - 1);
    const double factors[] = {2, 2.5, 2};
    for (size_t i = 0; most / step > 6; i++)
        step *= factors[i % 3];
    return step;
}

void fh_cli_svg_number(double value, char text[FH_CLI_SVG_NUMBER]) {
    const double size = fabs(value);
    const double unit = size >= 1e9 ? 1e9 : size >= 1e6 ? 1e6 : size >= 1e3 ? 1e3 : 1;
    snprintf(text, FH_CLI_SVG_NUMBER, "%.4g%s", value / unit,
             unit == 1e9   ? " G"
             : unit == 1e6 ? " M"
             : unit == 1e3 ? " k"
                           : "");
}
