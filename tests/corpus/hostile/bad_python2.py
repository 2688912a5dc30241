def attention(q, k, v, mask=None):
    print "shapes", q
    return v
