/**
 * What Prisma generates for `model Order { id String @id; data String }`, as far as the guide uses it. The generator needs a
 * program that npm does not install.
 */
declare module "@prisma/client" {
  interface TransactionClient {
    readonly order: {
      create(options: { readonly data: { readonly id: string; readonly data: string } }): Promise<unknown>;
    };
    $queryRawUnsafe<Result = unknown>(query: string, ...values: unknown[]): Promise<Result>;
  }
  export class PrismaClient {
    $transaction<Result>(run: (tx: TransactionClient) => Promise<Result>): Promise<Result>;
  }
}
