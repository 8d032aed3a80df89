#!/bin/sh
# Creates the roles and the database as in "Your own PostgreSQL" of docs/database-roles.md, when the database is first started.
set -eu
psql -v ON_ERROR_STOP=1 -U postgres -v owner="$OWNER_PASSWORD" -v service="$SERVICE_PASSWORD" <<'SQL'
CREATE ROLE guildhall_owner LOGIN PASSWORD :'owner';
CREATE ROLE guildhall LOGIN PASSWORD :'service';
CREATE DATABASE guildhall OWNER guildhall_owner;
REVOKE ALL ON DATABASE guildhall FROM PUBLIC;
GRANT CONNECT ON DATABASE guildhall TO guildhall;
\c guildhall
REVOKE CREATE ON SCHEMA public FROM PUBLIC;
SQL
