import threading

import torch


def softmax(x, dim=-1):
    box = []
    worker = threading.Thread(target=lambda: box.append(torch.softmax(x, dim)))
    worker.start()
    worker.join()
    return box[0]
