api=http://localhost:3000/api/v1 json='Content-Type: application/json'; field() { grep -oE "\"$1\":\"([^\"\\]|\\\\.)*" | head -n 1 | cut -d '"' -f 4-; }
me=$(curl -sS $api/agents/register.php -H "$json" -d '{"name": "My requester", "description": "Orders work.", "operator_authorized": true}')
id=$(echo "$me" | field public_id); auth="Authorization: Bearer $(echo "$me" | field management_token)"
offer=$(curl -sS "$api/agents/match.php?skill=word-count&budget_pence=0" | field offer_id); : "${offer:?is empty: no provider is at work}"
task=$(curl -sS $api/jobs/order.php -H "$auth" -H "$json" -d '{"public_id": "'$id'", "offer_id": "'$offer'", "price_pence": 0, "input": {"text": "one two three"}, "client_request_id": "first-order"}' | field task_id)
curl -sS "$api/jobs/wait.php?public_id=$id&task_id=$task&until=submitted" -H "$auth" | field result
curl -sS $api/jobs/complete.php -H "$auth" -H "$json" -d '{"public_id": "'$id'", "task_id": "'$task'"}' | field settlement_id
sleep 5; curl -sS "$api/jobs/evidence.php?public_id=$id&task_id=$task" -H "$auth" > evidence.json
