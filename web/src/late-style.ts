let arrived: Promise<void> | undefined;

/** Fetches the looks of what is opened later, once; without them it is plain but whole. */
export function lateStyle(address: string): Promise<void> {
  arrived ??= new Promise((resolve, reject) => {
    const link = document.createElement("link");
    link.rel = "stylesheet";
    link.href = address;
    link.onload = () => resolve();
    link.onerror = () => {
      arrived = undefined; // the next one who asks tries again
      link.remove();
      reject(new Error("a style sheet did not arrive"));
    };
    document.head.append(link);
  });
  return arrived;
}
