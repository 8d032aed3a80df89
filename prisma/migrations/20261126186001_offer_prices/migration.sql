-- The list of offers can be sorted by price.
-- Built in a fraction of a second per 100,000 offers.
-- squawk-ignore require-concurrent-index-creation
CREATE INDEX "offers_listed_by_price" ON "offers"("price_pence", "seq") WHERE (listed);
