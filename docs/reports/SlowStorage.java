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
 * LocalTieredStorage with slow uploads. An upload reads the segment, waits for "wait.ms" (60 s by
 * default) without heeding interrupts, and then stores the segment.
 */
public final class SlowStorage implements RemoteStorageManager {
    private final LocalTieredStorage store = new LocalTieredStorage();
    private long waitMs = 60_000;

    @Override
    public void configure(Map<String, ?> settings) {
        if (settings.containsKey("wait.ms")) {
            waitMs = Long.parseLong(settings.get("wait.ms").toString());
        }
        store.configure(settings);
    }

    @Override
    public Optional<CustomMetadata> copyLogSegmentData(
            RemoteLogSegmentMetadata metadata, LogSegmentData data) throws RemoteStorageException {
        boolean interrupted = false;
        try {
            LogSegmentData read = read(data);
            for (long end = System.nanoTime() + waitMs * 1_000_000; System.nanoTime() < end; ) {
                try {
                    Thread.sleep(100);
                } catch (InterruptedException ignored) {
                    interrupted = true;
                }
            }
            return store.copyLogSegmentData(metadata, read);
        } catch (IOException error) {
            throw new RemoteStorageException(error.toString(), error);
        } finally {
            if (interrupted) {
                Thread.currentThread().interrupt();
            }
        }
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
