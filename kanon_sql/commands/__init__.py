"""One conductor per command: the only places that know the order of the stages."""
