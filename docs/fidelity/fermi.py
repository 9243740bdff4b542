"""The study of multi-word arithmetic on a Fermi GPU."""
import json

from figures import difference, number


def write(tool, page):
    page.heading(2, "Multi-word arithmetic on Fermi")
    page.add("    fhec time --experiment docs/timing/fermi.experiment")
    page.add("Cycles a step of the study's loops on a GTX 580. Where the study prints a figure "
             "(knees at 576 and 288 threads, a ninth more behind them, 18 million cycles for a "
             "million products, 9 for two streams, mixes no slower than their integers, plans A "
             "and B) or its model gives one, it stands beside ours.")
    rows, last = [], None
    for remark, run, cycles, expected in tool.experiment("fermi"):
        rows.append(["" if remark == last else remark, f"`{run}`", number(cycles), number(expected),
                     difference(cycles, expected)])
        last = remark
    page.table(["", "run", "cycles", "study", ""], rows)
    montgomery(tool, page)
    arithmetic(page)
    page.heading(3, "What is not computed")
    page.add("Areas: there is no RTL here. The 58 % of GPGPU-Sim with a second multiplier: with W "
             "/ 2 cycles for 32 warps instead of W, and L the latency, the ratio is max(L, 16) / "
             f"32, so that {18 / 32:.3f} follows for L = 18 and {19 / 32:.3f} for 19: the figure "
             f"fits a latency, it predicts nothing.")


def montgomery(tool, page):
    page.heading(3, "Montgomery products of several words, with the unit and without")
    page.add("    fhec bigint montmul --map cuda32 --words W --time=gtx580\n"
             "    fhec bigint montmul --map mont --words W --time=docs/timing/gtx580+mont.machine")
    rows = []
    for words in (3, 4, 8):
        took = [cycles_of(tool, words, "cuda32", "gtx580"),
                cycles_of(tool, words, "mont", "docs/timing/gtx580+mont.machine")]
        rows.append([words, number(took[0]), number(took[1]), f"{took[1] / took[0]:.2f}"])
    page.table(["words", "cycles, cuda32", "cycles, mont", "ratio"], rows)
    page.add("The study's Algorithm 2 reduces by one modulus as wide as its unit. For integers of "
             "several words a unit of 32 bits works on residues, and the way there and back costs "
             "more than it saves; where numbers are residues already, it is six instructions to "
             "one.")


def cycles_of(tool, words, name, machine):
    said = tool.text("bigint", "montmul", "--map", name, "--words", str(words), "--count", "65536",
                     "--no-verify", f"--time={machine}", "--time-format", "json",
                     "--out", "/dev/null")
    return json.loads(said[said.index("{"):])["cycles"]


def arithmetic(page):
    page.heading(3, "The study's figures among themselves")
    page.add("\n".join("- " + line for line in (
        "18 + max(0, ceil(N / 32) - 18) cycles give 19 at 577 threads, a 1/18 more; its own "
        "schedule has 20, as 2 ceil(W / 2) does.",
        "Algorithm 1, line 3, reads a carry that nothing has set: it must be `mad.lo.cc`.",
        f"From 65 to 40 nm the 32-bit multiplier is scaled by 40 / 65 ({24052 * 40 / 65:,.0f} "
        f"um2), the 24-bit one by 0.625 ({10354 * 0.625:,.0f}); areas go by the square: "
        f"{24052 * (40 / 65) ** 2:,.0f} and {10354 * (40 / 65) ** 2:,.0f}. Plan A then adds "
        f"{(24052 - 10354) * (40 / 65) ** 2 / 3.03e4 * 100 * 0.9:.0f} to "
        f"{(24052 - 10354) * (40 / 65) ** 2 / 3.03e4 * 100:.0f} % to a core instead of 24.4.",
        "New areas of an SM are printed with 10^6 for 10^7.",
    )))
