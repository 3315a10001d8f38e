// The choice of how often what is shown is run again.
interface LivePickerProps {
  readonly live: number | undefined;
  readonly seconds: readonly number[];
  readonly onLive: (seconds: number | undefined) => void;
}

export function LivePicker({ live, seconds, onLive }: LivePickerProps) {
  return (
    <>
      <label for="live">Live</label>
      <select id="live" value={live ?? ''} onChange={({ currentTarget: { value } }) => onLive(value === '' ? undefined : Number(value))}>
        <option value="">off</option>
        {seconds.map((one) => (
          <option value={one}>{one < 60 ? `every ${one} s` : `every ${one / 60} min`}</option>
        ))}
      </select>
    </>
  );
}
