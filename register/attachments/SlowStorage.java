package example;

import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.Optional;
import org.apache.kafka.server.log.remote.storage.LocalTieredStorage;
import org.apache.kafka.server.log.remote.storage.LogSegmentData;
import org.apache.kafka.server.log.remote.storage.RemoteLogSegmentMetadata;
import org.apache.kafka.server.log.remote.storage.RemoteLogSegmentMetadata.CustomMetadata;
import org.apache.kafka.server.log.remote.storage.RemoteStorageException;
import org.apache.kafka.server.log.remote.storage.RemoteStorageManager;

/**
 * LocalTieredStorage with slow uploads. An upload reads the segment, waits for "before.ms" (60 s by
 * default), stores the segment, and waits for "after.ms" (0 by default) before it returns. The
 * waits do not heed interrupts.
 */
public final class SlowStorage implements RemoteStorageManager {
    private final LocalTieredStorage store = new LocalTieredStorage();
    private long beforeMs;
    private long afterMs;

    @Override
    public void configure(Map<String, ?> settings) {
        beforeMs = milliseconds(settings, "before.ms", "60000");
        afterMs = milliseconds(settings, "after.ms", "0");
        store.configure(settings);
    }

    private static long milliseconds(Map<String, ?> settings, String name, String otherwise) {
        Object given = settings.get(name);
        return Long.parseLong(given == null ? otherwise : given.toString());
    }

    @Override
    public Optional<CustomMetadata> copyLogSegmentData(
            RemoteLogSegmentMetadata metadata, LogSegmentData data) throws RemoteStorageException {
        boolean wasInterrupted = false;
        try {
            LogSegmentData read = read(data);
            wasInterrupted = pause(beforeMs);
            Optional<CustomMetadata> answer = store.copyLogSegmentData(metadata, read);
            wasInterrupted |= pause(afterMs);
            return answer;
        } catch (IOException error) {
            throw new RemoteStorageException(error.toString(), error);
        } finally {
            if (wasInterrupted) {
                Thread.currentThread().interrupt();
            }
        }
    }

    private static boolean pause(long milliseconds) {
        boolean wasInterrupted = false;
        for (long end = System.nanoTime() + milliseconds * 1_000_000; System.nanoTime() < end; ) {
            try {
                Thread.sleep(100);
            } catch (InterruptedException interrupt) {
                wasInterrupted = true;
            }
        }
        return wasInterrupted;
    }

    private static LogSegmentData read(LogSegmentData data) throws IOException {
        Optional<Path> aborted = data.transactionIndex();
        return new LogSegmentData(
                copy(data.logSegment()),
                copy(data.offsetIndex()),
                copy(data.timeIndex()),
                aborted.isPresent() ? Optional.of(copy(aborted.get())) : aborted,
                copy(data.producerSnapshotIndex()),
                data.leaderEpochIndex());
    }

    private static Path copy(Path file) throws IOException {
        Path copy = Files.createTempFile("slow", file.getFileName().toString());
        copy.toFile().deleteOnExit();
        return Files.write(copy, Files.readAllBytes(file));
    }

    @Override
    public void deleteLogSegmentData(RemoteLogSegmentMetadata metadata)
            throws RemoteStorageException {
        store.deleteLogSegmentData(metadata);
    }

    @Override
    public InputStream fetchLogSegment(RemoteLogSegmentMetadata metadata, int start)
            throws RemoteStorageException {
        return store.fetchLogSegment(metadata, start);
    }

    @Override
    public InputStream fetchLogSegment(RemoteLogSegmentMetadata metadata, int start, int end)
            throws RemoteStorageException {
        return store.fetchLogSegment(metadata, start, end);
    }

    @Override
    public InputStream fetchIndex(RemoteLogSegmentMetadata metadata, IndexType type)
            throws RemoteStorageException {
        return store.fetchIndex(metadata, type);
    }

    @Override
    public void close() throws IOException {
        store.close();
    }
}
