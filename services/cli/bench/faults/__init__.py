"""`tidelog bench faults`: the platform as separate processes, broken at random while clients play, then checked."""
