"""What every game is made of: the Engine record, drafts, chance, outcomes and the finder of games."""
