/*
 * driver.hpp - what the drivers of both versions of FIDESlib share: options, NVTX ranges, numbers,
 * and what is said of a result.
 */
#ifndef OWN_CODE_DRIVER_HPP
#define OWN_CODE_DRIVER_HPP

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

/* --limbs: of the chain; --level: limbs that the operands have dropped. --slots, --budget (linear
 * maps to slots and back) and --secret are the bootstrap's. */
struct options {
    int logn = 16, limbs = 11, level = 0, dnum = 3, slots = 0;
    std::vector<uint32_t> budget = {3, 3};
    bool sparse = false;
    std::string ops = "hemult,rescale,rotate,ptmult,headd,ptadd,square,intt,ntt";
};

static bool wants(const options &o, const char *op) {
    return ("," + o.ops + ",").find("," + std::string(op) + ",") != std::string::npos;
}

static options parse(int argc, char **argv) {
    options o;
    for (int i = 1; i + 1 < argc; i += 2) {
        const std::string name = argv[i], value = argv[i + 1];
        if (name == "--logn")
            o.logn = std::stoi(value);
        else if (name == "--limbs")
            o.limbs = std::stoi(value);
        else if (name == "--level")
            o.level = std::stoi(value);
        else if (name == "--dnum")
            o.dnum = std::stoi(value);
        else if (name == "--slots")
            o.slots = std::stoi(value);
        else if (name == "--ops")
            o.ops = value;
        else if (name == "--secret")
            o.sparse = value == "sparse";
        else if (name == "--budget" && value.find(',') != std::string::npos)
            o.budget = {(uint32_t)std::stoi(value),
                        (uint32_t)std::stoi(value.substr(value.find(',') + 1))};
        else
            fprintf(stderr, "unknown option %s\n", argv[i]), exit(2);
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
