import { optionsOf } from "#components/form/options.ts";
import { Link } from "#components/link.tsx";
import { Part } from "#components/part.tsx";
import { ColumnHeads } from "#components/table.tsx";
import { Timestamp } from "#components/timestamp/timestamp.tsx";
import { dayWords } from "#components/timestamp/words.ts";
import { quoteOf } from "#components/user-text/pieces.ts";
import { UserText } from "#components/user-text/user-text.tsx";
import { type ListedPattern, readPatterns } from "#lib/admin/page-reads/moderation.ts";
import { readHits } from "#lib/community/rules/hits.ts";
import { communityRules } from "#lib/community/rules/rules.ts";
import { Act } from "../acts/act.tsx";
import { Acts } from "../acts/acts.tsx";
import { AdminPage, adminMetadata, requireAdministrator } from "../admin-page.tsx";

export const generateMetadata = adminMetadata("Patterns");

/** The rules that refuse or hold posts. */
const COUNTED = [1, 2, 3, 4, 5];
const DAYS = 14;
const KINDS = optionsOf({ literal: "A text, in any case", re2: "An expression (RE2), in any case" });

export default async function PatternsPage() {
  const { clock } = await requireAdministrator();
  const now = clock.now();
  const [patterns, days] = await Promise.all([readPatterns(), readHits(now, DAYS)]);
  return (
    <AdminPage
      at="/admin/patterns"
      title="Patterns"
      lead="A post that breaks a pattern waits for a decision instead of appearing (rule 4)."
    >
      <Acts>
        <Act
          act="add_pattern"
          title="Add a pattern"
          send="Try it on the newest 1,000 posts"
          about={{}}
          fields={[
            { name: "kind", label: "A post breaks it if it has", options: KINDS },
            {
              name: "pattern",
              label: "Pattern",
              hint: "At most 256 characters. Invisible characters in posts don’t matter.",
              as: "verbatim",
              code: true,
              required: true,
            },
          ]}
          question={{ title: "Switch this pattern on?", action: "Switch it on" }}
          done="The pattern is on."
        >
          <p>Before it is switched on, you see how many of the newest 1,000 posts break it.</p>
        </Act>
        <Part ruled id="on" title={patterns.length === 1 ? "One pattern is on" : `${patterns.length} patterns are on`}>
          {patterns.length === 0 ? (
            <p className="text-muted">No posts are held.</p>
          ) : (
            <ul>
              {patterns.map((pattern) => (
                <PatternRow key={pattern.id} pattern={pattern} />
              ))}
            </ul>
          )}
        </Part>
      </Acts>
      <Part ruled id="hits" title="What the rules refused or held">
        <table className="numbers">
          <caption className="sr-only">Posts that each rule refused or held, by day in UTC</caption>
          <ColumnHeads
            names={[
              "Day",
              ...COUNTED.map((rule) => (
                <Link key={rule} href={`/rules#rule-${rule}`}>
                  Rule {rule}
                </Link>
              )),
            ]}
          />
          <tbody>
            {days.map(({ day, hits }) => (
              <tr key={day.toISOString()}>
                <th scope="row">{dayWords(day, now)}</th>
                {COUNTED.map((rule) => (
                  <td key={rule} className={hits.has(rule) ? undefined : "text-muted"}>
                    {(hits.get(rule) ?? 0).toLocaleString("en-GB")}
                  </td>
                ))}
              </tr>
            ))}
          </tbody>
        </table>
        <p className="mt-3 max-w-measure text-13 text-muted">
          {communityRules()
            .filter(({ rule }) => COUNTED.includes(rule))
            .map(({ rule, name }) => `${rule}: ${name.toLowerCase()}`)
            .join(" · ")}
        </p>
      </Part>
    </AdminPage>
  );
}

function PatternRow({ pattern: { id, kind, pattern, reason, createdBy, createdAt } }: { pattern: ListedPattern }) {
  return (
    <li>
      <div className="admin-row">
        <code className="admin-title">
          <UserText text={pattern} />
        </code>
        <span className="admin-facts">
          <span>{kind === "literal" ? "text" : "expression"}</span>
          <span>
            <UserText text={createdBy} />: “<UserText text={quoteOf(reason, 160)} />”
          </span>
        </span>
        <span className="admin-marks text-muted">
          <Timestamp at={createdAt} form="moment" />
        </span>
      </div>
      <Act
        act="end_pattern"
        title={`Switch off ${quoteOf(pattern, 40)}`}
        send="Switch it off"
        about={{ pattern_id: id }}
        done="The pattern is off."
      >
        <p>
          It stops holding posts within seconds. Posts that it already holds still wait for{" "}
          <Link href="/admin/held-posts">a decision</Link>.
        </p>
      </Act>
    </li>
  );
}
