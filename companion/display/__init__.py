"""What people see and touch: a frozen Screen value, its painter and its taps."""
