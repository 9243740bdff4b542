def masked(x, k):
    return [v ^ k[i // 32] for i, v in enumerate(x)]
