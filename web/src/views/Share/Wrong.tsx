/** Why the commands of a link do not run, sentence by sentence. */
export function Wrong({ wrong }: { wrong: readonly string[] }) {
  return (
    <div role="alert">
      <p>It does not run, and nothing has run:</p>
      <ul>
        {wrong.map((sentence) => (
          <li key={sentence}>{sentence}</li>
        ))}
      </ul>
    </div>
  );
}
