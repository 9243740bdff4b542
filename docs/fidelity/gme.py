"""The GME paper: modular units, a network of LDS and block-aware scheduling on an MI100."""
import tempfile
from pathlib import Path

from figures import difference, number

# Table 7, microseconds: MI100, and GME without LABS.
TABLE7 = {"CMult": (178, 22), "HEAdd": (217, 28), "HEMult": (4012, 464), "Rotate": (3473, 364),
          "Rescale": (681, 69)}
# Table 8: T_AS in ns; Boot, HELR and ResNet-20 in ms.
TABLE8 = {"MI100": (863, 413, 658, 9989), "GME": (74.5, 33.63, 54.5, 982)}
SLOTS, LEVELS, BOOT_LEVELS = 2 ** 15, 23, 17
PRIMITIVES = {"CMult": "ptmult", "HEAdd": "headd", "HEMult": "hemult", "Rotate": "rotate",
              "Rescale": "rescale"}
CHAIN = ("--map", "gme64", "--limbs", "24", "--alpha", "8", "--dnum", "3", "--bits", "54")
BOOTSTRAP = ("--preset", "paper", "--levels-cts", "4", "--levels-stc", "4")
GME = "cnoc,mod,wmac"
BEST = ("--loops", "best", "--packed")
ONE_ENGINE = "cnoc x 1 y 1 per 120"
SIZES = ("7.5", "15.5", "23.5")  # of on-chip memory, MiB


def write(tool, page):
    page.heading(2, "GME")
    page.add("    fhec time --experiment docs/timing/gme.experiment")
    page.add("Table 4, cycles of a modular instruction of 64 bits, as the machine files have it:")
    page.table(["run", "cycles", "Table 4", ""],
               [[f"`{run}`", number(cycles), number(expected), difference(cycles, expected)]
                for _, run, cycles, expected in tool.experiment("gme")])
    with tempfile.TemporaryDirectory() as folder:
        graphs = Graphs(tool, Path(folder))
        primitives(graphs, page)
        kept(graphs, page)
        features(graphs, page)
        onchip(graphs, page)
        bootstrap(graphs, page)
    arithmetic(page)
    page.heading(3, "What is not computed")
    page.add("Emulated instructions of the MI100 (row 1 of Table 4) from its own code: there is no "
             "CDNA code here, the row is data. Areas and power: no RTL. Heights of figures 6 to 8 "
             "and graphs of HELR and ResNet-20: not in the text.")


class Graphs:
    """Graphs of blocks, each written once, and plans of them."""

    def __init__(self, tool, folder):
        self.tool, self.folder = tool, folder

    def plan(self, name, features, *options, onchip=None, changes=()):
        """The plan, as JSON, of `fhec ckks NAME` with the chain of the paper."""
        path = self.folder / f"{name}.json"
        if not path.exists():
            more, smallest = (BOOTSTRAP, 10) if name == "bootstrap" else ((), 0)
            logn = str(max(self.tool.logn, smallest))
            self.tool.text("ckks", name, *more, *CHAIN, "--logn", logn, "--graph", str(path))
        lines = ([f"onchip {onchip}M"] if onchip else []) + list(changes)
        return self.tool.json("blocks", str(path), "--features", features, "--format", "json",
                              *options, *(word for line in lines for word in ("--change", line)))

    def us(self, *arguments, **keywords):
        return self.plan(*arguments, **keywords)["us"]


def primitives(graphs, page):
    page.heading(3, "Table 7")
    page.add("    fhec ckks PRIMITIVE --map gme64 --limbs 24 --alpha 8 --dnum 3 --bits 54 --graph "
             "G\n"
             "    fhec blocks G --machine mi100 [--features cnoc,mod,wmac[,labs] --loops best]")
    page.add("In us. GME first with 7.5 MiB and limbs of 64 bits; then 15.5 MiB and limbs packed "
             "to 54 bits (`--packed --change 'onchip 15.5M'`); with LABS; and instead of that one "
             f"engine of 120 compute units that does one limb after the other (`--change "
             f"'{ONE_ENGINE}'`). The efficiency of HBM is fitted to the MI100.")
    rows = []
    for name, primitive in PRIMITIVES.items():
        mi100, gme = TABLE7[name]
        plain = graphs.us(primitive, "")
        ours = graphs.us(primitive, GME, "--loops", "best")
        large = [graphs.us(primitive, features, *BEST, onchip="15.5", changes=changes)
                 for features, changes in ((GME, ()), (GME + ",labs", ()), (GME, (ONE_ENGINE,)))]
        rows.append([name, mi100, number(plain), difference(plain, mi100), gme, number(ours),
                     difference(ours, gme)] + [number(us) for us in large])
    page.table(["", "MI100, paper", "ours", "", "GME without LABS, paper", "ours", "", "15.5 MiB, "
                                                                                       "packed",
                "LABS", "one engine"], rows)


def kept(graphs, page):
    page.heading(3, "Table 7 if nothing were fetched twice")
    page.add("    fhec blocks G --features cnoc,mod,wmac --loops best --packed --change 'onchip "
             "256M' \\\n"
             "        --change 'overlap 1' --change 'cnoc link BYTES hop 4'")
    page.add("Without LABS, in us, with links of 64 (as in the machine file; the paper states no "
             "width), 128 and 256 bytes a cycle; the last column is what operands, keys and "
             "results, packed, take from HBM:")
    rows = []
    for name, primitive in PRIMITIVES.items():
        plans = [graphs.plan(primitive, GME, *BEST, onchip="256",
                             changes=("overlap 1", f"cnoc link {link} hop 4"))
                 for link in (64, 128, 256)]
        cells = [cell for plan in plans
                 for cell in (number(plan["us"]), difference(plan["us"], TABLE7[name][1]))]
        memory = plans[0]["bounds"]["memory"] / plans[0]["clock_mhz"]
        rows.append([name, TABLE7[name][1]] + cells + [number(memory)])
    page.table(["", "paper", "64 B", "", "128 B", "", "256 B", "", "HBM"], rows)
    page.add("So HEMult and Rotate of the paper are what a machine does that keeps everything and "
             "fetches ahead without a gap: with 7.5 or 15.5 MiB much is fetched again. CMult and "
             "HEAdd are below what their operands take, whatever is kept.")


def features(graphs, page):
    page.heading(3, "Features, one after the other")
    page.add("A HEMult, 15.5 MiB, limbs packed, in us, and what each feature gains; then with "
             "everything kept and fetched ahead, as above, links of 128 bytes. The paper: WMAC "
             "gains 19 %, LABS more than 50 %.")
    settings = (("15.5", ()), ("256", ("overlap 1", "cnoc link 128 hop 4")))
    rows, before = [], None
    for added in ("", "cnoc", "cnoc,mod", GME, GME + ",labs"):
        times = [graphs.us("hemult", added, *BEST, onchip=onchip, changes=changes)
                 for onchip, changes in settings]
        gains = [f"{b / t:.2f}" for b, t in zip(before, times)] if before else ["", ""]
        cells = [cell for pair in zip(map(number, times), gains) for cell in pair]
        rows.append([f"`{added}`" if added else "none"] + cells)
        before = times
    page.table(["features", "us", "gain", "us, all kept", "gain"], rows)


def onchip(graphs, page):
    page.heading(3, "Figure 8: on-chip memory")
    page.add("    fhec blocks G --features cnoc,mod,wmac --packed --policy belady --change "
             "'onchip SIZEM' \\\n"
             "        --order sequence|best --loops digits|limbs")
    page.add("Bytes of a HEMult in MB. The paper gains 1.74 (a bootstrap's time) from 7.5 to 15.5 "
             "MiB, and little beyond. One limb at a time (`sequence`), the knee is there; "
             "fifteen limbs in hand want more.")
    rows = []
    for size in SIZES:
        moved = [graphs.plan("hemult", GME, "--packed", "--order", order, "--loops", loops,
                             onchip=size)["all"]["bytes"] / 1e6
                 for order in ("sequence", "best") for loops in ("digits", "limbs")]
        rows.append([size] + [number(m) for m in moved])
    page.table(["MiB", "one limb at a time, by digits", "by limbs", "15 engines, by digits",
                "by limbs"], rows)


def bootstrap(graphs, page):
    page.heading(3, "Table 8: a bootstrap")
    page.add("    fhec ckks bootstrap --preset paper --levels-cts 4 --levels-stc 4 --map gme64 "
             "--limbs 24 \\\n"
             "        --alpha 8 --dnum 3 --bits 54 --graph G")
    plain = graphs.us("bootstrap", "") / 1e3
    printed = {key: times[1] for key, times in TABLE8.items()}
    rows = [["MI100", printed["MI100"], number(plain), difference(plain, printed["MI100"])]]
    for size in SIZES + ("256",):
        for features in (GME, GME + ",labs"):
            ours = graphs.us("bootstrap", features, "--loops", "limbs", "--packed",
                             onchip=size) / 1e3
            paper = printed["GME"] if features.endswith("labs") and size in SIZES[:2] else None
            rows.append([f"`{features}`, {size} MiB", number(paper), number(ours),
                         difference(ours, paper)])
    page.add("In ms, limbs packed. The bootstrap is ours: the paper does not tell its own. 15.5 "
             "MiB are its LDS and L2, or a larger LDS; it does not say which Table 8 has. What "
             "LABS gains is what stays on the chip from block to block.")
    page.table(["", "paper", "ours", ""], rows)


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
                     number(amortized(boot, mult, LEVELS - BOOT_LEVELS), 4)])
    page.add("T_AS = (T_boot + sum of T_mult) / levels / slots of Table 8: the table divides by "
             "the levels of the bootstrap, 17, where 6 are left of 23.")
    page.table(["", "by 17", "printed", "", "by 6"], rows)
    blocks = [a / b for a, b in TABLE7.values()]
    labs = [TABLE8["MI100"][i] / TABLE8["GME"][i] for i in (1, 2, 3)]
    cold = {"HEAdd": 28, "CMult": 22}
    page.add("\n".join("- " + line for line in (
        f"LABS is said to gain more than 1.5 everywhere. Blocks gain {min(blocks):.1f} to "
        f"{max(blocks):.1f} without it, workloads {', '.join(f'{g:.1f}' for g in labs)}: what is "
        f"left is "
        + ", ".join(f"{g / max(blocks):.2f} to {g / min(blocks):.2f}" for g in labs) + ".",
        "; ".join(f"{name} in {us} us lets HBM bring {us * 1229e-3:.1f} MB"
                  for name, us in cold.items())
        + "; their operands are 63.7 and 53.1 MB, packed to 54 bits.",
        "Gamma, as printed, weights edges by bandwidth and so prefers slow links; hops are meant.",
        "The 38 % of cNoC are computation in one place, memory operations in another; 17 cycles "
        "\"with MOD\" have WMAC, too.",
    )))
