"""One live game: sensed events and taps in, commands to the referee, rulings out."""
