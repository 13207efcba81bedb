import type { Headers } from '../../server/domain/exchange.ts'

export function HeaderTable({ headers }: { readonly headers: Headers }) {
  if (headers.length === 0) return <p class="muted">No headers.</p>
  return (
    <table class="headers">
      <caption>Headers</caption>
      <tbody>
        {headers.map(([name, value], index) => (
          <tr key={index}>
            <th scope="row">{name}</th>
            <td>{value}</td>
          </tr>
        ))}
      </tbody>
    </table>
  )
}
