import type { HTMLAttributes, ReactNode } from 'react';

/** A column; its name may be empty where all are; `head`: it names its row. Any other kind is a class of its cells. */
export type Column<Row> = readonly [
  name: ReactNode,
  cell: (row: Row, index: number) => ReactNode,
  kind?: 'head' | 'number' | 'number time' | 'mono' | undefined,
];

interface Props<Row> {
  caption?: ReactNode;
  className?: string;
  columns: readonly Column<Row>[];
  rows: readonly Row[];
  /** The attributes of a row. */
  rowProps?(row: Row): HTMLAttributes<HTMLTableRowElement>;
}

/** A table: a line for each row, in the order of its columns. */
export function DataTable<Row>(props: Props<Row>) {
  const { caption, className = 'chart-table', columns, rows, rowProps } = props;
  return (
    <table className={className}>
      {caption !== undefined && <caption>{caption}</caption>}
      {columns.some(([name]) => name !== '') && (
        <thead>
          <tr>
            {columns.map(([name, , kind], place) => (
              // biome-ignore lint/suspicious/noArrayIndexKey: columns have no name but their position
              <th scope="col" key={place} className={kind?.startsWith('number') ? 'number' : ''}>
                {name}
              </th>
            ))}
          </tr>
        </thead>
      )}
      <tbody>
        {rows.map((row, index) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: rows have no name but their position
          <tr key={index} {...rowProps?.(row)}>
            {columns.map(([, cell, kind], place) =>
              kind === 'head' ? (
                // biome-ignore lint/suspicious/noArrayIndexKey: as above
                <th scope="row" key={place}>
                  {cell(row, index)}
                </th>
              ) : (
                // biome-ignore lint/suspicious/noArrayIndexKey: as above
                <td key={place} className={kind}>
                  {cell(row, index)}
                </td>
              ),
            )}
          </tr>
        ))}
      </tbody>
    </table>
  );
}
