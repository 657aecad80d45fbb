package tierproof;

import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.apache.kafka.server.log.remote.storage.LocalTieredStorage;
import org.apache.kafka.server.log.remote.storage.LogSegmentData;
import org.apache.kafka.server.log.remote.storage.RemoteLogSegmentMetadata;
import org.apache.kafka.server.log.remote.storage.RemoteLogSegmentMetadata.CustomMetadata;
import org.apache.kafka.server.log.remote.storage.RemoteStorageException;
import org.apache.kafka.server.log.remote.storage.RemoteStorageManager;

/**
 * LocalTieredStorage behind gates that a scenario shuts, so that a store can be slow, refuse, lose
 * a reply or be deaf to interrupts.
 *
 * <p>The folder named by the setting "gates" has a file for each gate that is shut: "copy",
 * "copy_reply", "delete", "delete_reply". A request waits while its file is there. If the file says
 * "refuse", the request fails at once; if it says "deaf", it waits on though it is interrupted. A
 * request that waits is a file in the folder "waiting": its name is the gate, the broker and the
 * segment's first offset, and it says the segment's id. A file of that name in the folder "passes"
 * lets one request through, and is used up.
 */
public final class GatedStorage implements RemoteStorageManager {
    private static final long POLL_MS = 10;

    private final LocalTieredStorage store = new LocalTieredStorage();
    private Path gates;
    private String broker;

    @Override
    public void configure(Map<String, ?> settings) {
        gates = Path.of(settings.get("gates").toString());
        broker = settings.get("broker.id").toString();
        store.configure(settings);
    }

    @Override
    public Optional<CustomMetadata> copyLogSegmentData(
            RemoteLogSegmentMetadata metadata, LogSegmentData data) throws RemoteStorageException {
        if (!isShut("copy")) {
            return answered(metadata, store.copyLogSegmentData(metadata, data));
        }
        // The bytes are on their way before the wait: the broker may delete its files meanwhile.
        List<Path> taken = new ArrayList<>();
        boolean wasInterrupted = false;
        try {
            LogSegmentData sent = taken(data, taken);
            wasInterrupted = pass("copy", metadata);
            return answered(metadata, store.copyLogSegmentData(metadata, sent));
        } catch (IOException error) {
            throw new RemoteStorageException(error.toString(), error);
        } finally {
            taken.forEach(GatedStorage::remove);
            restore(wasInterrupted);
        }
    }

    private Optional<CustomMetadata> answered(
            RemoteLogSegmentMetadata metadata, Optional<CustomMetadata> answer)
            throws RemoteStorageException {
        restore(pass("copy_reply", metadata));
        return answer;
    }

    @Override
    public void deleteLogSegmentData(RemoteLogSegmentMetadata metadata)
            throws RemoteStorageException {
        boolean wasInterrupted = pass("delete", metadata);
        store.deleteLogSegmentData(metadata);
        restore(pass("delete_reply", metadata) || wasInterrupted);
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

    private boolean isShut(String gate) {
        return Files.exists(gates.resolve(gate));
    }

    private static void restore(boolean wasInterrupted) {
        if (wasInterrupted) {
            Thread.currentThread().interrupt();
        }
    }

    /** Wait until the gate is open; whether an interrupt came that a deaf store did not hear. */
    private boolean pass(String gate, RemoteLogSegmentMetadata metadata)
            throws RemoteStorageException {
        String request = String.join("-", gate, broker, Long.toString(metadata.startOffset()));
        Path waiting = gates.resolve("waiting").resolve(request);
        boolean wasInterrupted = false;
        try {
            for (String says = says(gate); says != null; says = says(gate)) {
                if (says.equals("refuse")) {
                    throw new RemoteStorageException("the store refuses: " + gate);
                }
                if (!Files.exists(waiting)) {
                    Files.writeString(waiting, metadata.remoteLogSegmentId().id().toString());
                }
                if (Files.deleteIfExists(gates.resolve("passes").resolve(request))) {
                    return wasInterrupted;
                }
                try {
                    Thread.sleep(POLL_MS);
                } catch (InterruptedException interrupt) {
                    if (!says.equals("deaf")) {
                        Thread.currentThread().interrupt();
                        throw new RemoteStorageException("interrupted: " + gate, interrupt);
                    }
                    wasInterrupted = true;
                }
            }
        } catch (IOException error) {
            throw new RemoteStorageException(error.toString(), error);
        } finally {
            remove(waiting);
        }
        return wasInterrupted;
    }

    /** What the file of a gate says, null while the gate is open. */
    private String says(String gate) throws IOException {
        try {
            return Files.readString(gates.resolve(gate)).strip();
        } catch (java.nio.file.NoSuchFileException opened) {
            return null;
        }
    }

    private static LogSegmentData taken(LogSegmentData data, List<Path> taken) throws IOException {
        Optional<Path> aborts = data.transactionIndex();
        return new LogSegmentData(
                copied(data.logSegment(), taken),
                copied(data.offsetIndex(), taken),
                copied(data.timeIndex(), taken),
                aborts.isPresent() ? Optional.of(copied(aborts.get(), taken)) : aborts,
                copied(data.producerSnapshotIndex(), taken),
                data.leaderEpochIndex());
    }

    private static Path copied(Path file, List<Path> taken) throws IOException {
        Path copy = Files.createTempFile("tierproof", file.getFileName().toString());
        taken.add(copy);
        return Files.write(copy, Files.readAllBytes(file));
    }

    private static void remove(Path file) {
        try {
            Files.deleteIfExists(file);
        } catch (IOException ignored) {
            // A file that stays harms nobody: its folder goes with the scenario.
        }
    }
}
