"""The real adapters: GPIO and Pico backends of the ports."""
