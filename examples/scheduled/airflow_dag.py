"""Publish and test the tables of a project every night; the password is in Airflow's connection `hospital`."""

from __future__ import annotations

from datetime import datetime, timedelta

from airflow import DAG
from airflow.providers.standard.operators.bash import BashOperator

SETTINGS = {
    "KANON_PROJECT_DIR": "/srv/hospital",
    "KANON_TARGET": "prod",
    "KANON_LOG_FORMAT": "json",
    "KANON_ENV_SECRET_PASSWORD": "{{ conn.hospital.password }}",
}

with DAG("kanon_hospital", schedule="15 2 * * *", start_date=datetime(2026, 1, 1), catchup=False, max_active_runs=1):
    publish = BashOperator(
        task_id="publish",
        # The second attempt repeats only what did not finish in the first.
        bash_command="{{ 'kanon run' if ti.try_number == 1 else 'kanon retry' }} --threads 4",
        env=SETTINGS,
        append_env=True,
        retries=1,
        retry_delay=timedelta(minutes=10),
    )
    check = BashOperator(task_id="check", bash_command="kanon test --threads 4", env=SETTINGS, append_env=True)
    publish >> check
