"""What the tasks of a Spark job do with batches of rows."""
