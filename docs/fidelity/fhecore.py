"""The FHECore paper: a matrix unit for FHE beside each tensor core of an A100."""
from figures import difference, geomean, number

# Microseconds and warp instructions: A100, and A100 with FHECore; instructions by primitive and
# workload as the paper prints them.
PUBLISHED = {
    "Rescale": (227, 178, 29974528, 13278720),
    "Rotate": (1261, 741, 146941952, 57383936),
    "HEMult": (1196, 675, 139449088, 57604096),
    "Bootstrap": (314670, 163900, 36129286144, 17073057143),
    "LR": (747440, 312370, 89385078641, 33384095353),
    "ResNet20": (5028230, 2262160, 556714062191, 295196429566),
    "BERT-Tiny": (16583830, 8300380, 1809067028156, 1059032787283),
}
PRIMITIVES = ("Rescale", "Rotate", "HEMult")
WORKLOADS = ("Bootstrap", "LR", "ResNet20", "BERT-Tiny")
CLOCK, SMS, SCHEDULERS = 1087.5e6, 108, 4


def write(tool, page):
    page.heading(2, "FHECore")
    times(tool, page)
    unit(tool, page)
    counts(tool, page)
    applications(tool, page)
    arithmetic(page)
    page.heading(3, "What is not computed")
    page.add("Area, power and frequency of the unit (46,096 um2 for a grid of 16x8, 19.91 mm2 for "
             "432, +2.4 % of the die; 1.58 GHz): there is no RTL here. Bars of figures 1 and 7 to "
             "10: heights are not in the text. Times of other libraries and GPUs: other code.")


def times(tool, page):
    report = tool.json("report", "--time", "--sensitivity", "--format", "json", "--logn",
                       str(tool.logn))
    page.heading(3, "Times of primitives and of a bootstrap")
    page.add("    fhec report --time --sensitivity")
    page.add("; ".join(
        f"{side}: {report['machines'][key]['title']} at {report['machines'][key]['clock_mhz']} "
        f"MHz, a launch {report['machines'][key]['launch_cycles']} cycles"
        for side, key in (("without", "baseline"), ("with FHEC", "fhec"))) + ".")
    rows = []
    for row in report["rows"]:
        name = "Bootstrap" if row["name"].startswith("bootstrap") else row["name"]
        base, fhec = row["baseline"], row["fhec"]
        their = PUBLISHED[name]
        rows.append([name, number(base["us"]), number(their[0]), difference(base["us"], their[0]),
                     number(fhec["us"]), number(their[1]), difference(fhec["us"], their[1]),
                     f"{row['speedup']:.2f}", f"{their[0] / their[1]:.2f}",
                     difference(row["speedup"], their[0] / their[1])])
    page.table(["", "us, ours", "paper", "", "with FHEC, ours", "paper", "", "speed-up, ours",
                "paper", ""], rows)
    bounds(report, page)
    sensitivity(report, page)


def bounds(report, page):
    page.add("What the times consist of at least, in us; the last two columns are what the paper's "
             "own instructions take to issue, and what is left of its time:")
    rows = []
    for row in report["rows"]:
        name = "Bootstrap" if row["name"].startswith("bootstrap") else row["name"]
        for side, key in ((0, "baseline"), (1, "fhec")):
            b = row[key]["bounds_us"]
            issue = PUBLISHED[name][2 + side] / (SMS * SCHEDULERS) / CLOCK * 1e6
            rows.append([name + (", FHEC" if side else ""), number(row[key]["us"]),
                         number(b["issue"]), number(b["hbm"]), number(b["key"]),
                         number(b["launches"]), number(issue),
                         number(PUBLISHED[name][side] - issue)])
    page.table(["", "time", "issue", "HBM", "key", "launches", "issue, paper", "rest, paper"], rows)
    for row in report["rows"]:
        explain(row, page)


def explain(row, page):
    """Speed-ups that are off by more than a quarter, from the bounds."""
    name = "Bootstrap" if row["name"].startswith("bootstrap") else row["name"]
    base, fhec, their = row["baseline"], row["fhec"], PUBLISHED[name]
    off = row["speedup"] / (their[0] / their[1]) - 1
    if abs(off) <= 0.25:
        return
    issue = [i / (SMS * SCHEDULERS) / CLOCK * 1e6 for i in their[2:]]
    rest = [t - i for t, i in zip(their, issue)]
    ours = [side["us"] - side["bounds_us"]["issue"] for side in (base, fhec)]
    fewer = [t / side["warp_insts"] for t, side in zip(their[2:], (base, fhec))]
    page.add(
        f"{name}: our speed-up is {100 * off:+.0f} % off. The paper's two times have "
        f"{number(rest[0])} and {number(rest[1])} us besides the issue of their instructions, a "
        f"ratio of {rest[0] / rest[1]:.2f}; ours {number(ours[0])} and {number(ours[1])}, a ratio "
        f"of {ours[0] / ours[1]:.2f}. Our FHEC side executes {fewer[1]:.1f} times fewer "
        f"instructions than the paper's, the other {fewer[0]:.1f}, so that what the paper's FHEC "
        "side spends on instructions which FHEC does not save is not in ours.")


def sensitivity(report, page):
    page.add("With one line of the machines changed that nobody states (times with FHEC in us, and "
             "speed-ups); lines of FHEC change the machine with it only:")
    rows = [["(none)"]]
    for row in report["rows"][:len(PRIMITIVES)]:
        rows[0] += [number(row["fhec"]["us"]), f"{row['speedup']:.2f}"]
    for variant in report["sensitivity"]:
        cells = [f"`{variant['line']}`"]
        for name in PRIMITIVES:
            v = variant[name]
            cells += [number(v["fhec_us"]), f"{v['baseline_us'] / v['fhec_us']:.2f}"]
        rows.append(cells)
    page.table(["line"] + [c for name in PRIMITIVES for c in (name, "")], rows)


def unit(tool, page):
    page.heading(3, "The unit")
    page.add("    fhec time --experiment docs/timing/units.experiment")
    page.add("Cycles from one dependent FHEC to the next, 44 in the paper, 64 on the enhanced "
             "tensor core; and the latencies and rates of the A100's memory instructions, of "
             "Huerta et al. 2025, that the machine is made of:")
    rows = [[remark, f"`{run}`", number(cycles), number(expected), difference(cycles, expected)]
            for remark, run, cycles, expected in tool.experiment("units")]
    last = None
    for row in rows:
        row[0], last = ("" if row[0] == last else row[0]), row[0]
    page.table(["", "run", "cycles", "stated", ""], rows)


def counts(tool, page):
    if tool.logn != 16:
        return
    page.heading(3, "Warp instructions of primitives")
    page.add("    fhec report --maps cuda64,gme64,fhec16 --words 3 --format json")
    report = tool.json("report", "--maps", "cuda64,gme64,fhec16", "--words", "3", "--no-verify",
                       "--format", "json")
    library(report, page)
    rows = []
    for kernel in report["published"]:
        b, f = kernel["baseline"], kernel["fhec"]
        if b["published"] is None:
            continue
        rows.append([f"{kernel['kernel']}, {kernel['limbs']} + {kernel['alpha']} limbs",
                     number(b["ours"]), number(b["published"]),
                     difference(b["ours"], b["published"]), number(f["ours"]),
                     number(f["published"]), difference(f["ours"], f["published"]),
                     f"{b['ours'] / f['ours']:.2f}", f"{b['published'] / f['published']:.2f}"])
    page.table(["", "cuda64", "paper", "", "fhec16", "paper, FHEC", "", "reduction", "paper"], rows)
    page.add("Here both maps have so many limbs, of 60 and of 30 bits. The reasons, from the same "
             "report:")
    page.add("\n".join("- " + note["text"] for note in report["notes"]))


def library(report, page):
    page.add("The paper does not say how many limbs its primitives have. It counts FIDESlib; that "
             "library, unmodified, is executed by `fhec cuda` ([own-code](own-code/README.md)), "
             "and meets the paper's counts at these shapes, all of dnum 3:")
    rows = []
    for kernel in report["published"]:
        b, (first, second) = kernel["baseline"], kernel["fideslib"]
        maps = [kernel["maps"][m] for m in ("cuda64", "gme64", "fhec16")]
        limbs = f"{kernel['limbs']} + {kernel['alpha']} limbs" if kernel["limbs"] else "one limb"
        rows.append([f"{kernel['kernel']}, {limbs}", number(b["published"]), number(first),
                     exactly(first, b["published"]), number(second),
                     exactly(second, b["published"])] + [number(m) for m in maps])
    page.table(["", "paper", "FIDESlib 873c577", "", "FIDESlib 786c760", "", "cuda64", "gme64",
                "fhec16"], rows)


def exactly(ours, theirs):
    return f"{100 * (ours / theirs - 1):+.2f} %" if ours and theirs else "-"


def applications(tool, page):
    page.heading(3, "Workloads")
    page.add("    fhec report bootstrap lr resnet20 bert-tiny --maps cuda64,fhec16 --format json")
    apps = tool.json("report", "bootstrap", "lr", "resnet20", "bert-tiny", "--maps",
                     "cuda64,fhec16", "--format", "json", "--logn", str(tool.logn))["applications"]
    rows = []
    for app, name in zip(apps, WORKLOADS):
        their = PUBLISHED[name]
        for reading in app["readings"]:
            ours = [(reading["maps"].get(m) or {}).get("fused_hoisted")
                    for m in ("cuda64", "fhec16")]
            warp = [o and o["warp"]["total"] for o in ours]
            if not any(warp):
                continue
            rows.append([f"{name}, reading {reading['name']}", number(warp[0]), number(their[2]),
                         number(warp[1]), number(their[3]),
                         f"{warp[0] / warp[1]:.2f}" if all(warp) else "-",
                         f"{their[2] / their[3]:.2f}"])
    page.table(["", "cuda64", "paper", "fhec16", "paper, FHEC", "reduction", "paper"], rows)
    page.add("In HEMults of all limbs of the library that the paper counts, beside what the "
             "readings are in those of cuda64 (each operation by itself; rotations of one "
             "ciphertext sharing a ModUp):")
    rows = []
    for app, name in zip(apps, WORKLOADS):
        for reading in app["readings"]:
            base = reading["maps"].get("cuda64")
            if base:
                rows.append([f"{name}, reading {reading['name']}",
                             f"{app['published']['full_hemults']:,.0f}",
                             f"{base['single']['full_hemults']:,.0f}",
                             f"{base['hoisted']['full_hemults']:,.0f}"])
    page.table(["", "paper", "single", "hoisted"], rows)
    page.add("[applications.md](applications.md) has the readings.")


def arithmetic(page):
    page.heading(3, "The paper's figures among themselves")
    ipc = {n: [p[2 + s] / (p[s] * 1e-6 * CLOCK * SMS) for s in (0, 1)]
           for n, p in PUBLISHED.items()}
    page.table(["", "speed-up", "reduction of instructions", "IPC an SM", "with FHEC", "ratio"],
               [[n, f"{p[0] / p[1]:.2f}", f"{p[2] / p[3]:.2f}",
                 f"{ipc[n][0]:.2f}", f"{ipc[n][1]:.2f}",
                 f"{ipc[n][1] / ipc[n][0]:.2f}"] for n, p in PUBLISHED.items()])
    reduction = {n: p[2] / p[3] for n, p in PUBLISHED.items()}
    speed = {n: p[0] / p[1] for n, p in PUBLISHED.items()}
    rises = [n for n in PUBLISHED if ipc[n][1] > ipc[n][0]]
    best = max(speed[n] for n in PRIMITIVES + ("Bootstrap",))
    boot = PUBLISHED["Bootstrap"]
    page.add("\n".join("- " + line for line in (
        f"The geometric mean of the workloads' reductions is "
        f"{geomean(reduction[n] for n in WORKLOADS):.2f}, "
        f"printed as 1.96; that of the primitives "
        f"{geomean(reduction[n] for n in PRIMITIVES):.2f}, printed as 2.41.",
        f"IPC is said to rise with larger workloads: it rises for {' and '.join(rises)} only.",
        f"LR, ResNet20 and BERT-Tiny gain {speed['LR']:.2f}, {speed['ResNet20']:.2f} and "
        f"{speed['BERT-Tiny']:.2f}, more than any of their parts ({best:.2f} at most).",
        f"Bootstrapping is reduced by {100 * (1 - boot[1] / boot[0]):.1f} %, printed as 50 %; "
        f"a remaining limb of six costs {boot[0] / 6e3:.1f} ms, printed as 52.3.",
        f"One bootstrap is {boot[0] / PUBLISHED['HEMult'][0]:.0f} HEMults' time; 64 to 117 "
        f"compose it.",
        "The latency 2 S_R + S_C + T - 2 with S_R = 16, S_C = 8, T = 6 is "
        f"{2 * 16 + 8 + 6 - 2}; with 16 accumulations, rows drained, 54.",
        f"A grid of 128 elements is {46096.5 / 5901.1:.1f} elements' area.",
        f"Times are taken at {CLOCK / 1e6} MHz; with a memory simulated at 1410 MHz it is "
        f"{1410 / (CLOCK / 1e6):.2f} times too slow in microseconds.",
    )))
