"""The GME paper: modular units, a network of LDS and block-aware scheduling on an MI100."""
from figures import difference, number

# Table 7, microseconds: MI100, and GME without LABS.
TABLE7 = {"CMult": (178, 22), "HEAdd": (217, 28), "HEMult": (4012, 464), "Rotate": (3473, 364),
          "Rescale": (681, 69)}
# Table 8: T_AS in ns; Boot, HELR and ResNet-20 in ms.
TABLE8 = {"MI100": (863, 413, 658, 9989), "GME": (74.5, 33.63, 54.5, 982)}
SLOTS, LEVELS, BOOT_LEVELS = 2 ** 15, 23, 17


def write(tool, page):
    page.heading(2, "GME")
    page.add("    fhec time --experiment docs/timing/gme.experiment")
    page.add("Table 4, cycles of a modular instruction of 64 bits, as the machine files have it:")
    page.table(["run", "cycles", "Table 4", ""],
               [[f"`{line.split('--kernel ')[1].split('--cycles')[0].strip()}`", number(cycles),
                 number(expected), difference(cycles, expected)]
                for _, line, cycles, expected in tool.experiment("gme")])
    arithmetic(page)
    page.heading(3, "What is not computed")
    page.add("Emulated instructions of the MI100 (row 1 of Table 4) from its own code: there is no "
             "CDNA code here, the row is data. Areas and power: no RTL. Heights of figures 6 to 8 "
             "and graphs of HELR and ResNet-20: not in the text.")


def amortized(boot_ms, mult_us, levels):
    """Amortized time of a product in a slot, ns: (T_boot + sum of T_mult) / levels / slots."""
    return (boot_ms * 1e6 + mult_us * 1e3 * levels) / levels / SLOTS


def arithmetic(page):
    page.heading(3, "The paper's figures among themselves")
    rows = []
    for name, mult in (("MI100", TABLE7["HEMult"][0]), ("GME", TABLE7["HEMult"][1])):
        printed, boot = TABLE8[name][:2]
        as_printed = amortized(boot, mult, BOOT_LEVELS)
        rows.append([name, number(as_printed), printed, difference(as_printed, printed),
                     number(amortized(boot, mult, LEVELS - BOOT_LEVELS))])
    page.add("T_AS = (T_boot + sum of T_mult) / levels / slots of Table 8: the table divides by the "
             "levels of the bootstrap, 17, where 6 are left of 23.")
    page.table(["", "by 17", "printed", "", "by 6"], rows)
    blocks = [a / b for a, b in TABLE7.values()]
    labs = [TABLE8["MI100"][i] / TABLE8["GME"][i] for i in (1, 2, 3)]
    cold = {"HEAdd": 28, "CMult": 22}
    page.add("\n".join("- " + line for line in (
        f"LABS is said to gain more than 1.5 everywhere. Blocks gain {min(blocks):.1f} to "
        f"{max(blocks):.1f} without it, workloads {', '.join(f'{g:.1f}' for g in labs)}: what is left is "
        + ", ".join(f"{g / max(blocks):.2f} to {g / min(blocks):.2f}" for g in labs) + ".",
        "; ".join(f"{name} in {us} us lets HBM bring {us * 1229e-3:.1f} MB" for name, us in cold.items())
        + "; their operands are 63.7 and 53.1 MB, packed to 54 bits.",
        "Gamma, as printed, weights edges by bandwidth and so prefers slow links; hops are meant.",
        "The 38 % of cNoC are computation in one place, memory operations in another; 17 cycles "
        "\"with MOD\" have WMAC, too.",
    )))
