-- Which berths stand empty at night, and what that costs.
CREATE TABLE IF NOT EXISTS berth (
    berth_id     INTEGER PRIMARY KEY,
    name         VARCHAR(40) NOT NULL UNIQUE,
    depth_m      NUMERIC(4, 1) NOT NULL CHECK (depth_m > 0),
    closed_since TIMESTAMP NULL
);

CREATE INDEX idx_stay_berth_from ON stay (berth_id, from_time DESC);

WITH nights AS (
    SELECT generate_series('2026-01-01'::date, '2026-01-31'::date, interval '1 day') AS night
),
used AS (
    SELECT s.berth_id, n.night, COUNT(*) AS stays
    FROM nights n
    JOIN stay s ON s.from_time < n.night + interval '30 hours' AND s.to_time > n.night + interval '22 hours'
    GROUP BY s.berth_id, n.night
)
SELECT b.name,
       COUNT(n.night) FILTER (WHERE u.stays IS NULL) AS empty_nights,
       ROUND(SUM(CASE WHEN u.stays IS NULL THEN b.depth_m * 12.5 ELSE 0 END), 2) AS lost
FROM berth b
CROSS JOIN nights n
LEFT JOIN used u ON u.berth_id = b.berth_id AND u.night = n.night
WHERE b.closed_since IS NULL
GROUP BY b.name
HAVING COUNT(n.night) FILTER (WHERE u.stays IS NULL) > 3
ORDER BY lost DESC, b.name
LIMIT 20;

UPDATE berth SET closed_since = NOW() WHERE berth_id IN (SELECT berth_id FROM inspection WHERE passed = FALSE);
