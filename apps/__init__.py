"""What people and services touch: the command line, and the model that MLflow serves."""
