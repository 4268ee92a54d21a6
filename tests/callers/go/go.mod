module callers

go 1.19
