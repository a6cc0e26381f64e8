import type { OutboxRejections, RejectedOutboxRow } from "../port.ts";
import type { Link } from "./link.ts";
import { isUnreadable, outboxColumns, toOutboxRow } from "./outbox-row.ts";
import type { Row } from "./statement.ts";

export interface RejectedRowsOptions {
  readonly link: Pick<Link, "read" | "run">;
  readonly schema: string;
  /** Data with more text is read as `undefined`. */
  readonly maximumBytes: number;
  /** The same in lists. */
  readonly listedBytes: number;
}

/** The time of the rejection in microseconds. With the id it is the primary key. */
const rejectedAt = "(extract(epoch from rejected_at) * 1000000::numeric)::bigint";
const toMs = (column: string): string => `(extract(epoch from ${column}) * 1000::numeric)::bigint::text`;

/** The rejected rows of an outbox. Their key is `<id>-<time>`, because an id may come again after a restore. */
export function createRejectedRows(options: RejectedRowsOptions): OutboxRejections {
  const { link, schema, maximumBytes, listedBytes } = options;
  const table = `${schema}.outbox_rejected`;
  const isRow = `id = $1::bigint and ${rejectedAt} = $2::bigint`;

  /** Data that is too large, or whose text cannot be built, is left out. */
  async function read(
    where: string,
    values: readonly string[],
    bytes: number,
    limit: number,
  ): Promise<RejectedOutboxRow[]> {
    const select = (data: string) =>
      link.read(
        `select ${rejectedAt}::text, code, message, ${toMs("created_at")}, ${toMs("rejected_at")}, ${outboxColumns(data)}
        from ${table} r where ${where} order by r.id desc, r.rejected_at desc limit ${limit}`,
        values,
      );
    // As it is stored, then decompressed, and only then as text.
    const sizes = [
      "pg_column_size(data)",
      "pg_column_size(data #> '{}'::text[])",
      "octet_length(data::text)",
    ];
    const data = sizes.reduceRight(
      (then, size) => `case when pg_catalog.${size}::bigint <= ${bytes}::bigint then ${then} end`,
      "data::text",
    );
    const rows = await select(data).catch((error: unknown) => {
      if (isUnreadable(error)) return select("null");
      throw error;
    });
    return rows.map(toRejectedRow);
  }

  return {
    async list({ before, limit }) {
      const place = before === undefined ? undefined : parseKey(before);
      return place === undefined
        ? read("true", [], listedBytes, limit)
        : read(
            `id <= $1::bigint and (id < $1::bigint or ${rejectedAt} < $2::bigint)`,
            place,
            listedBytes,
            limit,
          );
    },
    async get(key) {
      const place = parseKey(key);
      return place && (await read(isRow, place, maximumBytes, 1))[0];
    },
    async retry(key, { projectId, data }) {
      const place = parseKey(key);
      if (place === undefined) return undefined;
      const [[id] = []] = await link.run(
        `with taken as (delete from ${table} where ${isRow} returning *)
         insert into ${schema}.outbox (event, project_id, data, traceparent, event_id)
         select event, $3::text, coalesce($4::text::jsonb, data), traceparent, event_id from taken returning id::text`,
        [...place, projectId, data ?? null],
      );
      return id ?? undefined;
    },
    async remove(key) {
      const place = parseKey(key);
      if (place === undefined) return false;
      return (await link.run(`delete from ${table} where ${isRow} returning 1`, place)).length > 0;
    },
    async count(limit) {
      const [[found] = []] = await link.read(
        `select pg_catalog.count(*)::text from (select from ${table} limit $1::bigint) r`,
        [limit],
      );
      return Number(found);
    },
  };
}

/** The id and the time. `undefined`: no row has such a key. */
function parseKey(key: string): readonly [id: string, rejectedAt: string] | undefined {
  const [, id = "", time = ""] = /^(-?\d{1,19})-(\d{1,17})$/u.exec(key) ?? [];
  return id === "" || BigInt.asIntN(64, BigInt(id)) !== BigInt(id) ? undefined : [id, time];
}

function toRejectedRow([time, code, message, createdAt, rejected, ...columns]: Row): RejectedOutboxRow {
  const row = toOutboxRow(columns);
  return {
    ...row,
    key: `${row.id}-${time}`,
    code: code ?? "",
    message: message ?? "",
    createdAt: Number(createdAt),
    rejectedAt: Number(rejected),
  };
}
