from engines.core.engine import Engine
from engines.south_seas import catalog, decide, events, evolve, legal, moves, scoring, setup, state, view

ENGINE = Engine(
    name="south_seas",
    title="South Seas",
    seats=(2, 5),
    rules=(1,),
    Options=state.Options,
    Move=moves.Move,
    Event=events.Event,
    State=state.State,
    View=view.View,
    catalog=catalog.load,
    initial=setup.initial,
    setup=setup.setup,
    decide=decide.decide,
    evolve=evolve.evolve,
    to_act=legal.to_act,
    may_act=legal.may_act,
    legal_moves=legal.legal_moves,
    families=legal.families,
    autopilot=legal.autopilot,
    view=view.view,
    redact=view.redact,
    determinize=view.determinize,
    turns=legal.turns,
    outcome=scoring.outcome,
)
