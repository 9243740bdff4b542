/*
 * driver.hpp - what the drivers of both versions of FIDESlib share: options, NVTX ranges, numbers,
 * and what is said of a result.
 */
#ifndef OWN_CODE_DRIVER_HPP
#define OWN_CODE_DRIVER_HPP

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <functional>
#include <random>
#include <string>
#include <vector>

#include <cuda_runtime.h>
#include <nvtx3/nvToolsExt.h>

/* Of primes, as FIDESlib is used with; fewer are for version 1 alone, whose API lets a program set
 * the special ones. */
enum { FEWEST_BITS = 20, WIDE_BITS = 59 };

/* --limbs: of the chain; --bits: of their primes, of which the first has one more; --level: limbs
 * that the operands have dropped. --slots, --budget (linear
 * maps to slots and back) and --secret are the bootstrap's. */
struct options {
    int logn = 16, limbs = 11, bits = WIDE_BITS, level = 0, dnum = 3, slots = 0;
    std::vector<uint32_t> budget = {3, 3};
    bool sparse = false;
    std::string ops = "hemult,rescale,rotate,ptmult,headd,ptadd,square,intt,ntt";
};

static bool wants(const options &o, const char *op) {
    return ("," + o.ops + ",").find("," + std::string(op) + ",") != std::string::npos;
}

[[noreturn]] static void wrong_option(const std::string &name, const std::string &value) {
    fprintf(stderr, "%s %s: what is it? The head of the source has the options\n", name.c_str(),
            value.c_str());
    exit(2);
}

static int whole_number(const std::string &name, const std::string &value, long least = 0,
                        long most = 1 << 20) {
    char *end;
    const long number = strtol(value.c_str(), &end, 10);
    if (value.empty() || *end || number < least || number > most)
        wrong_option(name, value);
    return (int)number;
}

static options parse(int argc, char **argv) {
    options o;
    for (int i = 1; i < argc; i += 2) {
        const std::string name = argv[i], value = i + 1 < argc ? argv[i + 1] : "";
        const size_t comma = value.find(',');
        if (name == "--logn")
            o.logn = whole_number(name, value);
        else if (name == "--limbs")
            o.limbs = whole_number(name, value);
        else if (name == "--bits")
            o.bits = whole_number(name, value, FEWEST_BITS, WIDE_BITS);
        else if (name == "--level")
            o.level = whole_number(name, value);
        else if (name == "--dnum")
            o.dnum = whole_number(name, value);
        else if (name == "--slots")
            o.slots = whole_number(name, value);
        else if (name == "--ops" && !value.empty())
            o.ops = value;
        else if (name == "--secret" && (value == "sparse" || value == "uniform"))
            o.sparse = value == "sparse";
        else if (name == "--budget" && comma != std::string::npos)
            o.budget = {(uint32_t)whole_number(name, value.substr(0, comma)),
                        (uint32_t)whole_number(name, value.substr(comma + 1))};
        else
            wrong_option(name, value);
    }
    const std::string known = "," + options().ops + ",bootstrap,";
    for (size_t from = 0, to; from <= o.ops.size(); from = to + 1) {
        to = std::min(o.ops.find(',', from), o.ops.size());
        if (known.find("," + o.ops.substr(from, to - from) + ",") == std::string::npos)
            wrong_option("--ops", o.ops.substr(from, to - from));
    }
    if (!o.slots)
        o.slots = 1 << (o.logn - 1);
    return o;
}

/* The work is over when the range ends. */
static void in_range(const char *name, const std::function<void()> &work) {
    cudaDeviceSynchronize();
    nvtxRangePushA(name);
    work();
    cudaDeviceSynchronize();
    nvtxRangePop();
}

static std::vector<double> some_numbers(size_t n, unsigned seed) {
    std::mt19937 draw(seed);
    std::vector<double> x(n);
    for (auto &v : x)
        v = std::uniform_real_distribution<double>(-1, 1)(draw);
    return x;
}

template <class F>
static std::vector<double> each(const std::vector<double> &a, const std::vector<double> &b, F f) {
    std::vector<double> c(a.size());
    for (size_t i = 0; i < a.size(); i++)
        c[i] = f(a[i], b[i]);
    return c;
}

/* How far a result may be off: noise is of some 20 bits. */
static double tolerance(const options &o) {
    return std::fmax(1e-6, std::ldexp(1, 20 - o.bits));
}

/* How far `got` is from the first numbers that it should be, and whether that is no more than
 * `bound`. */
static bool report(const char *name, const char *words, const std::vector<double> &got,
                   const std::vector<double> &numbers, double bound) {
    double worst = 0;
    for (size_t i = 0; i < got.size(); i++)
        worst = std::fmax(worst, std::fabs(got[i] - numbers[i]));
    const bool right = worst <= bound;
    printf("%-10s %s%s, at most %.1e off\n", name, words, right ? "right" : "WRONG", worst);
    fflush(stdout);
    return right;
}

#endif
