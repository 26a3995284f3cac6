"""`tidelog bench`: what the platform does in a second on this machine, beside a peer in the same run."""

from cyclopts import App

bench = App(name="bench", help="Measure this machine, a peer beside.")
bench.command("services.cli.bench.moves:moves", name="moves")
bench.command("services.cli.bench.faults.command:faults", name="faults")
bench.command("services.cli.bench.log:log", name="log")
bench.command("services.cli.bench.watch:watch", name="watch")
bench.command("services.cli.bench.lobby:lobby", name="lobby")
