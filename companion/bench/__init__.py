"""Measurements that anyone can run: speed and accuracy, each beside a peer."""
