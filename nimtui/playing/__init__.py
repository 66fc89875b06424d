"""A game in progress without a screen: its set-up, session, advice, lessons, replay, and the sentences about it."""
