"""Carries out with trio what a seat orders (`p2p.seat`): links, disk, threads, timers, people."""
