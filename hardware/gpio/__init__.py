"""The scale wired straight to the Pi's header: the hx711 package's bit reading and gpiozero."""
