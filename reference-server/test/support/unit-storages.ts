import { readRights } from "./backup-page.ts";
import type { RestorableName } from "./restorable.ts";

/** The storages of Debian that the unit shares with others. */
export type SharedStorageName = Exclude<RestorableName, "file">;

/** A storage of the unit: what to run beside systemd, as root. */
export interface UnitStorage {
  /** The heading on the page about backups. */
  readonly section: string;
  /** Before the unit is installed. */
  readonly install: string;
  /** For people who run the commands of the pages, without the secrets. */
  readonly variables: string;
  /** Destroys the data while the unit is stopped. */
  readonly lose: string;
  /** After the restore. @default nothing */
  readonly start?: string;
}

const variablesOfShared = "HOOKWRIGHT_STORAGE=$(cat /etc/hookwright/storage_url)";
const owner = "postgres://shop:secret@127.0.0.1:5432/shop";

export const unitStorages: Readonly<Record<SharedStorageName, UnitStorage>> = {
  redis: redisOfDebian("appendonly no"),
  "redis-aof": redisOfDebian("appendonly yes\nappendfsync always"),
  postgres: {
    section: "PostgreSQL",
    install: `${installShared("postgres://hookwright:secret@127.0.0.1:5432/shop?schema=hookwright")}
cp /lib/systemd/system/postgresql*.service /etc/systemd/system
version=$(ls /usr/lib/postgresql | sort -n | tail -1)
install -d -o postgres -g postgres /var/lib/postgresql
touch postgres.log && chown postgres postgres.log
pg_createcluster "$version" drill --port 5432 --logfile /mnt/postgres.log
systemctl daemon-reload
systemctl start "postgresql@$version-drill"
runuser -u postgres -- psql --quiet --port 5432 <<'END'
create role shop login password 'secret';
create role hookwright login password 'secret';
create database shop owner shop;
END
hookwright migrate --storage '${owner}'
psql '${owner}' --quiet <<'END'
${readRights()}
END`,
    variables: `${variablesOfShared} OWNER_URL=${owner}`,
    lose: `psql '${owner}' --quiet --command 'drop schema hookwright cascade'`,
  },
};

/** The unit of Debian, with its configuration. */
function redisOfDebian(settings: string): UnitStorage {
  return {
    section: "Redis",
    install: `${installShared("redis://127.0.0.1:6379")}
cp /lib/systemd/system/redis-server.service /etc/systemd/system
install -d -m 750 -o redis -g redis /var/lib/redis
cat >> /etc/redis/redis.conf <<'END'
logfile ""
# Redis waits for more replicas by default.
repl-diskless-sync-delay 0
user saver on >saver +sync +psync +replconf
${settings}
END
systemctl daemon-reload
systemctl start redis-server`,
    variables: `${variablesOfShared} REDIS_URL=redis://saver:saver@127.0.0.1:6379`,
    lose: "systemctl stop redis-server && rm -r /var/lib/redis/*",
    start: "systemctl start redis-server",
  };
}

/** What the page on installations says about PostgreSQL and Redis. */
function installShared(url: string): string {
  return `(umask 077 && echo '${url}' > /etc/hookwright/storage_url)
cp repository/reference-server/deploy/systemd/hookwright.service.d/shared-storage.conf /etc/systemd/system/hookwright.service.d/`;
}
