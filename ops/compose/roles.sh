#!/bin/sh
# Creates the two roles and the database of docs/database-roles.md, when the database is first started.
set -eu
psql -v ON_ERROR_STOP=1 -U postgres -v owner="$OWNER_PASSWORD" -v service="$SERVICE_PASSWORD" <<'SQL'
CREATE ROLE guildhall_owner LOGIN PASSWORD :'owner';
CREATE ROLE guildhall LOGIN PASSWORD :'service';
CREATE DATABASE guildhall OWNER guildhall_owner;
REVOKE ALL ON DATABASE guildhall FROM PUBLIC;
GRANT CONNECT ON DATABASE guildhall TO guildhall;
\c guildhall
REVOKE CREATE ON SCHEMA public FROM PUBLIC;
ALTER SCHEMA public OWNER TO guildhall_owner;
SQL
