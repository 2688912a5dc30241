# coach: sdpa
# todo
