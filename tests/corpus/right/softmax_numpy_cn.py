import numpy as np


def softmax(x, axis=-1):
    # 减去最大值，防止 exp 溢出；结果不变，因为分子分母同乘 e^{-max}
    x_max = np.max(x, axis=axis, keepdims=True)
    exp_x = np.exp(x - x_max)
    return exp_x / np.sum(exp_x, axis=axis, keepdims=True)


if __name__ == "__main__":
    logits = np.array([[1.0, 2.0, 3.0], [1000.0, 1000.0, 1000.0]])
    print(softmax(logits))
    print("每行之和:", softmax(logits).sum(-1))
